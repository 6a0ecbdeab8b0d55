import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { belongsTo, micro, millis } from './columns.ts';
import { UserEntity } from './users.ts';

export const LedgerAccountEntity = defineEntity({
  name: 'LedgerAccountEntity',
  tableName: 'ledger_account',
  properties: {
    id: p.text().primary(),
    kind: p.enum(['global', 'locked', 'welcome', 'revenue', 'issuance']),
    user: belongsTo(UserEntity, 'user_id').nullable(),
    creator: belongsTo(UserEntity, 'creator_user_id').nullable(),
    balance: micro().defaultRaw('0'),
    held: micro().defaultRaw('0'),
  },
  indexes: [
    { name: 'ledger_account_user', properties: ['user'] },
    { name: 'ledger_account_creator', properties: ['creator'], where: 'creator_user_id IS NOT NULL' },
  ],
  uniques: [
    { name: 'ledger_account_global', properties: ['user'], where: "kind = 'global'::text" },
    { name: 'ledger_account_locked', properties: ['user', 'creator'], where: "kind = 'locked'::text" },
  ],
  checks: [
    { name: 'ledger_account_check', expression: "(kind = 'issuance'::text) OR (balance >= held)" },
    { name: 'ledger_account_held_check', expression: 'held >= 0' },
  ],
});
export type LedgerAccountEntity = InferEntity<typeof LedgerAccountEntity>;

export const LedgerTransferEntity = defineEntity({
  name: 'LedgerTransferEntity',
  tableName: 'ledger_transfer',
  properties: {
    id: p.text().primary(),
    source: p.text(),
    leg: p.text(),
    kind: p.text(),
    memo: p.text().nullable(),
    createdAt: millis(),
  },
  uniques: [{ properties: ['source', 'leg'] }],
});
export type LedgerTransferEntity = InferEntity<typeof LedgerTransferEntity>;

export const LedgerEntryEntity = defineEntity({
  name: 'LedgerEntryEntity',
  tableName: 'ledger_entry',
  properties: {
    transfer: belongsTo(LedgerTransferEntity, 'transfer_id').primary(),
    account: belongsTo(LedgerAccountEntity, 'account_id').primary(),
    amount: micro(),
    balanceBefore: micro(),
    balanceAfter: micro(),
  },
  indexes: [{ name: 'ledger_entry_account', properties: ['account', 'transfer'] }],
  checks: [
    { name: 'ledger_entry_amount_check', expression: 'amount <> 0' },
    { name: 'ledger_entry_check', expression: 'balance_after = (balance_before + amount)' },
  ],
});
export type LedgerEntryEntity = InferEntity<typeof LedgerEntryEntity>;

export const LedgerHoldEntity = defineEntity({
  name: 'LedgerHoldEntity',
  tableName: 'ledger_hold',
  properties: {
    id: p.text().primary(),
    source: p.text().unique(),
    user: belongsTo(UserEntity, 'user_id'),
    amount: micro(),
    captured: micro().defaultRaw('0'),
    state: p.enum(['open', 'captured', 'released']).default('open'),
    kind: p.text(),
    createdAt: millis(),
    settledAt: millis().nullable(),
  },
  indexes: [
    { name: 'ledger_hold_open', properties: ['createdAt'], where: "state = 'open'::text" },
    { name: 'ledger_hold_user', properties: ['user', 'createdAt'] },
  ],
  checks: [
    { name: 'ledger_hold_amount_check', expression: 'amount > 0' },
    { name: 'ledger_hold_check', expression: '(captured >= 0) AND (captured <= amount)' },
  ],
});
export type LedgerHoldEntity = InferEntity<typeof LedgerHoldEntity>;

export const LedgerHoldPartEntity = defineEntity({
  name: 'LedgerHoldPartEntity',
  tableName: 'ledger_hold_part',
  properties: {
    hold: belongsTo(LedgerHoldEntity, 'hold_id').primary(),
    account: belongsTo(LedgerAccountEntity, 'account_id').primary(),
    amount: micro(),
  },
  checks: [{ name: 'ledger_hold_part_amount_check', expression: 'amount > 0' }],
});
export type LedgerHoldPartEntity = InferEntity<typeof LedgerHoldPartEntity>;
