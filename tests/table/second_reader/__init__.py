"""A second reader of the documents and of the interpretations, slow and obvious.

Given the facts of a log it says who may do what, and what every rack, box and debt must hold. It shares no code with
`thirdcard.table`: only cards, the arithmetic of play and the values of the documents. One module for each right;
numbers in brackets are interpretations.

- `facts`: a log told apart by rounds; `chips` and `cards`: where chips and cards lie
- `limits`: what each stake plays for, and what waits for a decision
- `insurance`: who may buy, who has to answer, within which cap
- `reports`: what waits to be ruled on, who has to choose, who may withdraw
- `squeezing`: who may ask, who is handed cards, who has the device
- `money`: racks, boxes and debts
- `statement`: all of it, line by line
"""
