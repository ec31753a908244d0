"""What is true: worlds and their rules, and solver engines that know no world."""
