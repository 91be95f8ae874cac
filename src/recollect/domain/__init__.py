"""What a memory is: values and pure rules, without input or output."""
