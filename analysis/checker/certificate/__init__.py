"""The parts of daemark_checker."""
