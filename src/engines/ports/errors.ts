/** How an engine refuses what it is given, or says that it broke: the errors that the ports name. */
export { badInput, PlatformError } from '../../kernel/errors.ts';
