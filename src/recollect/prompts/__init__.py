"""The words sent to a model, in Chinese and English, and the one renderer that puts memories between them."""
