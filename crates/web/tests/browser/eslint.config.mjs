// Few rules, each against a fault that types do not see.

import globals from 'globals';

const rules = {
  'no-undef': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' }],
  'no-var': 'error',
  'prefer-const': 'error',
  eqeqeq: 'error',
  'no-shadow': ['error', { builtinGlobals: false }],
  'no-implicit-globals': 'error',
  'no-async-promise-executor': 'error',
  'no-unreachable': 'error',
  'no-fallthrough': 'error',
  'no-dupe-keys': 'error',
  'no-self-compare': 'error',
  'no-constant-condition': ['error', { checkLoops: false }],
  'array-callback-return': 'error',
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-console': 'error',
  'no-eval': 'error',
  'no-restricted-syntax': ['error', { selector: "CallExpression[callee.property.name='waitForTimeout']", message: 'wait for a condition, not for milliseconds' }],
};

export default [
  { ignores: ['node_modules'] },
  { files: ['**/page/**/*.js'], languageOptions: { globals: globals.browser }, rules },
  { files: ['**/tests/browser/*.mjs'], languageOptions: { globals: { ...globals.node, ...globals.browser, packed: 'readonly' } }, rules },
  { files: ['**/tests/browser/{trace,screenshots,paths-speed,tree-speed,answers-speed}.mjs'], rules: { 'no-console': 'off', 'no-restricted-syntax': 'off' } },
];
