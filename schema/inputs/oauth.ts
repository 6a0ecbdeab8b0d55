/** Inputs of the sign-in flow. */
import { Field, ID, InputType } from 'type-graphql';

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
