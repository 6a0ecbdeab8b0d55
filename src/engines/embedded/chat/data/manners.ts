/** All manners, in one list. */
import type { Manner } from '../types.ts';
import { ADVENTURERS } from './manners-adventure.ts';
import { EVERYDAY } from './manners-everyday.ts';
import { LEARNED } from './manners-learned.ts';

export const MANNERS: Manner[] = [...ADVENTURERS, ...LEARNED, ...EVERYDAY];
