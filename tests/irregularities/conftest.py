import pytest

pytest.register_assert_rewrite(
    "irregularities.situations",
    "irregularities.checks",
    "irregularities.checks_cards",
    "irregularities.every_case",
    "table.tables",
)
