"""What asks a learner, checks the answer and remembers it; and what a lesson's own data is written with."""

from .coding import code as code
from .kinds import (
    Mistake as Mistake,
    Question as Question,
    choice as choice,
    number as number,
    order as order,
    picture as picture,
    shape as shape,
    sign as sign,
)
