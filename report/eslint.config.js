import tseslint from "typescript-eslint";

/** What would turn a value of a record into markup or code. */
const MARKUP = "Values are shown as text, never as markup.";

export default tseslint.config(
  { ignores: ["node_modules", ".build", "screenshots"] },
  {
    files: ["src/**/*.{ts,tsx}", "tests/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "max-lines": ["error", { max: 300 }],
      "max-lines-per-function": ["error", { max: 80, skipComments: true }],
      "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML", "write"].map((property) => ({ property, message: MARKUP }))],
      "no-restricted-syntax": ["error", { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: MARKUP }],
      "no-restricted-globals": ["error", "fetch", "XMLHttpRequest", "WebSocket", "eval"],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
  { files: ["tests/**/*.ts"], rules: { "no-console": "off", "max-lines-per-function": "off", "@typescript-eslint/no-floating-promises": "off" } },
);
