"""The browser's side: felt, roads and charts drawn as SVG, and the pages that show them."""
