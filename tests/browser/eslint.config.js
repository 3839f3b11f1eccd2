import js from "@eslint/js";

export default [
  { ignores: ["**/vendor/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // TypeScript knows
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "consistent-return": "error",
      "eqeqeq": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-else-return": "error",
      "object-shorthand": "error",
    },
  },
];
