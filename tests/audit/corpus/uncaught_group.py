# an exception group that nobody catches, from a module that is imported
import sibling

sibling.fail_together(1 + 2)
