/** A thread that says which one it is. */
import { threadId } from 'node:worker_threads';
import { serve } from '../../../src/engines/ports/serve.ts';

serve(async () => threadId);
