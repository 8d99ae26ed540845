import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const LOCALE = 'The result depends on the ICU of the running Node, so an auditor could decide otherwise.';
/** Decisions import files from everywhere below libs, so this holds there for all but browser code. */
const SAME_EVERYWHERE = [
  { selector: 'Identifier[name=/^(Intl|localeCompare|toLocale[A-Z].*)$/]', message: LOCALE },
  { selector: 'Literal[regex.pattern=/\\\\p\\{(?!C[cs]\\})/i]', message: LOCALE },
  { selector: 'Literal[value=/\\\\p\\{(?!C[cs]\\})/i]', message: LOCALE },
  { selector: 'TemplateElement[value.cooked=/\\\\p\\{(?!C[cs]\\})/i]', message: LOCALE },
];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'data', 'coverage'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.js'] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest reads parameter types at run time: a value import must not become `import type`.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Programs print through libs/terminal, which escapes control characters.
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Use parseUrl of the kernel.' },
      ],
    },
  },
  {
    files: ['libs/**/*.ts'],
    ignores: ['libs/channels/pages/scripts/**'],
    rules: { 'no-restricted-syntax': ['error', ...SAME_EVERYWHERE] },
  },
  {
    // The content policy blocks style attributes but not `href="javascript:..."`: the elements of
    // libs/channels/pages/elements check addresses, and one place writes JSON into a page.
    files: ['libs/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...SAME_EVERYWHERE,
        { selector: 'JSXAttribute[name.name="style"]', message: 'A page has no styles of its own.' },
        { selector: 'JSXAttribute[name.name=/^on[A-Z]/]', message: 'A page has no handlers: a script adds them.' },
        {
          selector:
            'JSXOpeningElement[name.name=/^[a-z]/] > JSXAttribute[name.name=/^(href|src|action|formAction|srcSet)$/]:not([value.type="Literal"])',
          message: 'Use Link, ExternalLink or Filters, which check the address.',
        },
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'Text is text.' },
      ],
    },
  },
  {
    // Files that check or make addresses.
    files: ['libs/channels/pages/elements/{links,filters}.tsx', 'libs/channels/pages/shell/layout.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...SAME_EVERYWHERE] },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly' } },
  },
);
