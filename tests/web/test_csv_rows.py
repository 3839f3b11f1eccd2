"""What is downloaded as CSV, for spreadsheets."""

from thirdcard.web.csv_rows import csv_text


def test_no_text_is_reckoned_as_a_formula() -> None:
    texts = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1")
    assert csv_text([texts]).replace('"', "") == ",".join(f"'{text}" for text in texts) + "\r\n"
    assert csv_text([[-5, 2.5, "banker", ""]]) == "-5,2.5,banker,\r\n"
