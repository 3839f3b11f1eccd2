import pytest

pytest.register_assert_rewrite("table.tables")
