import pytest

pytest.register_assert_rewrite(
    "irregularities.situations", "irregularities.checks", "irregularities.every_case", "table.tables"
)
