/** The illustrator's thread: one image at a time, because drawing occupies its thread for tenths of a second. */
import { serve } from '../serve.ts';
import { perform } from './perform.ts';
import type { Task } from './task.ts';

serve<Task>((task) => perform(task));
