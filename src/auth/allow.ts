/**
 * `@Allow`: every resolver states who may call it. Built on type-graphql's `@Authorized`, because middlewares do not
 * guard subscriptions. The rules are also kept by field name, so that the REST layer answers 401 before it reads input.
 */
import { Authorized } from 'type-graphql';
import { authorize, type Principal, type Rule } from './principal.ts';

const rules = new Map<string, Rule>();

/** Declares who may call the query, mutation or subscription of this name. */
export function Allow(rule: Rule): MethodDecorator {
  return (target, key, descriptor) => {
    rules.set(String(key), rule);
    (Authorized([rule]) as MethodDecorator)(target, key, descriptor);
  };
}

/** The rule of a root field; undefined for a resolver that forgot it (a test fails then). */
export const ruleOf = (rootField: string): Rule | undefined => rules.get(rootField);

/**
 * type-graphql's authChecker: throws our own 401 or 403 instead of its plain one. An arrow function, because type-graphql
 * takes whatever has a prototype for a class to instantiate.
 */
export const authChecker = ({ context }: { context: { principal?: Principal } }, roles: Rule[]): boolean => {
  for (const rule of roles) authorize(rule, context.principal);
  return true;
};
