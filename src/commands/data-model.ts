/** The entities as diagrams in Mermaid, grouped by the names of their tables: what belongs to what. */
import { MikroORM } from '@mikro-orm/postgresql';
import { openSchema } from '../app/open-schema.ts';
import { ormOptions } from '../kernel/orm.ts';

/** Which tables stand in one diagram, by the beginning of their names; the first that fits counts. */
const DIAGRAMS: [title: string, tables: RegExp][] = [
  ['Users and their credentials', /^(app_user|session|api_key|oauth_)/],
  ['Credits', /^(ledger_|non_owner_|gift_)/],
  ['Avatars', /^(avatar|custom_voice|training)/],
  ['Conversations and turns', /^(conversation|access_link|injection|turn|translated_)/],
  ['Memory', /^brain/],
  ['Images, speech and videos', /_generation$/],
  ['Tribes and the streaming platform', /^(tribe|stream_)/],
  ['Webhooks', /^webhook_/],
  ['Visitors', /^visitor/],
  ['What belongs to an account', /^account_/],
  ['The platform itself', /./],
];

/** Markdown; needs no database. */
export async function dataModel(): Promise<string> {
  const orm = new MikroORM(ormOptions(openSchema('postgres://nobody@nowhere/none')));
  const entities = [...orm.getMetadata().getAll().values()].filter(({ tableName }) => tableName);
  const diagrams = DIAGRAMS.map(([title]) => ({ title, lines: [] as string[] }));
  for (const { tableName, props } of entities) {
    const { lines } = diagrams[DIAGRAMS.findIndex(([, tables]) => tables.test(tableName))]!;
    const columns: string[] = [];
    for (const prop of props.filter(({ persist }) => persist !== false)) {
      for (const [index, field] of prop.fieldNames.entries()) {
        const key = [prop.primary && 'PK', prop.targetMeta && 'FK', prop.unique && 'UK'].filter(Boolean).join(', ');
        const type = (prop.columnTypes[index] ?? 'text').replace(/\W+/g, '_');
        columns.push(`    ${type} ${field}${key ? ` ${key}` : ''}${prop.nullable ? ' "or null"' : ''}`);
      }
      if (prop.targetMeta)
        lines.push(`  ${prop.targetMeta.tableName} ${prop.nullable ? '|o' : '||'}--o{ ${tableName} : "${prop.name}"`);
    }
    lines.push(`  ${tableName} {`, ...columns, '  }');
  }
  const parts = diagrams.map(
    ({ title, lines }) => `## ${title}\n\n\`\`\`mermaid\nerDiagram\n${lines.join('\n')}\n\`\`\`\n`,
  );
  return `# Data model\n\nGenerated from the entities (\`schema/entities\`) by \`npm run generate\`.\n\n${parts.join('\n')}`;
}
