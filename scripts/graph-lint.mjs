/**
 * `npm run lint`: the rules of graphql-eslint (recommended and Relay's) over the schema, and its rules of documents over those
 * of the pages, and one more. EXCEPTIONS are all that is otherwise, each with its reason.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';

const cwd = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SCHEMA = 'schema/schema.graphql';
const DOCUMENTS = 'src/pages/operations/*.graphql';

const QUERIES = 'FieldDefinition[parent.name.value=Query]';
const { EnumValueDefinition: _upperCase, ...names } =
  graphql.configs['flat/schema-recommended'].rules['@graphql-eslint/naming-convention'][1];

const EXCEPTIONS = {
  schema: {
    // Values are spelled as the documented API spells them: `pending`, `video`. `queryBrain` is what that calls it.
    'naming-convention': ['error', { ...names, [QUERIES]: { ...names[QUERIES], forbiddenPrefixes: ['get'] } }],
    // A mutation that takes anything takes one `input`, named after it.
    'input-name': ['error', { checkInputType: true, caseSensitiveInputType: false }],
    // Documented fields stay as they are: an avatar has `avatarId` beside its `id`.
    'no-typename-prefix': 'off',
    // What can be read again has an `id` and is a Node, which test/graphql/nodes.test.ts holds; all else is a value.
    'strict-id-in-types': 'off',
    // Values have lists too, bounded ones: words of a caption, credits by creator. And what one has given, or who has
    // joined, is listed as it is seen from there, not as the account behind it.
    'relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  },
  documents: {
    // Pages are written once for each request and keep no cache that would need ids.
    'require-selections': 'off',
  },
};

const ruleNamed = (rules) =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`@graphql-eslint/${name}`, rule]));

const config = (files, sets, exceptions) => ({
  files: [files],
  plugins: { '@graphql-eslint': graphql },
  languageOptions: {
    parser: graphql.parser,
    parserOptions: { graphQLConfig: { schema: SCHEMA, documents: DOCUMENTS } },
  },
  rules: { ...Object.assign({}, ...sets.map((set) => graphql.configs[`flat/${set}`].rules)), ...ruleNamed(exceptions) },
});

const eslint = new ESLint({
  cwd,
  overrideConfigFile: true,
  overrideConfig: [
    config(SCHEMA, ['schema-recommended', 'schema-relay'], EXCEPTIONS.schema),
    config(DOCUMENTS, ['operations-recommended'], EXCEPTIONS.documents),
  ],
});

const results = await eslint.lintFiles([SCHEMA, DOCUMENTS]);
for (const { filePath, messages } of results)
  for (const { line, message, ruleId } of messages) {
    process.stderr.write(`${path.relative(cwd, filePath)}:${line} ${message} (${ruleId})\n`);
    process.exitCode = 1;
  }
