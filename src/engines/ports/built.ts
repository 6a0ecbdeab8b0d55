/** Where an engine's threads and data files lie: it never looks beside itself. */
export { built } from '../../kernel/built.ts';
