/** The world of one test file: Node, with the modules that this worker has compiled before. */
import { TestEnvironment } from 'jest-environment-node';
import './module-cache.mjs';

export default TestEnvironment;
