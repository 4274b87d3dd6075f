"""What a run leaves behind: one moment for each event, with the numbers, lines and names as they were then."""
