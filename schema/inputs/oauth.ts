/** Inputs of the sign-in flow, and of registering apps. */
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../src/kernel/limits.ts';
import { SCOPES, type Scope } from '../../src/kernel/scopes.ts';
import { Between, Items, SomeOf, Text } from './rules.ts';

const MAX_OVERLAP_S = 30 * 24 * 3600;

@InputType({ description: 'The query of the consent page (RFC 6749 4.1.1, RFC 7636).' })
export class AuthorizationRequestInput {
  @Field(() => ID)
  clientId: string;

  @Field()
  redirectUri: string;

  @Field(() => String, { nullable: true, description: 'code, which is also what its absence means.' })
  responseType?: string | null;

  @Field(() => String, { nullable: true, description: 'Space separated; without it `profile`.' })
  scope?: string | null;

  @Field(() => String, { nullable: true })
  state?: string | null;

  @Field(() => String, { nullable: true })
  codeChallenge?: string | null;

  @Field(() => String, { nullable: true, description: 'S256.' })
  codeChallengeMethod?: string | null;
}

@ArgsType()
export class RegisterClientArgs {
  @Field()
  @Text(LIMITS.displayName)
  name: string;

  @Field(() => [String])
  @Items(1, LIMITS.redirectDomains)
  redirectDomains: string[];

  @Field(() => [String], { nullable: true })
  @SomeOf(SCOPES)
  scopes?: Scope[] | null;

  @Field(() => ID, { nullable: true })
  serviceAvatarId?: string | null;
}

@ArgsType()
export class RotateSecretArgs {
  @Field(() => ID)
  clientId: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds for which the secret before verifies: 0 to 2592000; default 24 hours, unless configured.',
  })
  @Between(0, MAX_OVERLAP_S)
  keepOldFor?: number | null;
}
