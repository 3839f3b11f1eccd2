"""The school of a house: what people learn, exams, classes. What is learnt is pure, in `thirdcard.school`."""
