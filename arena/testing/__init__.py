"""What students test their bots with: in their own process, without a league."""
