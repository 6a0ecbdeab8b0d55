/** The kinds of errors, shown to clients that handle them by their codes. */
import { Query, Resolver } from 'type-graphql';
import { ERROR_KINDS, ErrorKind } from '../schema/errors.ts';
import { Allow } from '../src/auth/allow.ts';

@Resolver()
export class ErrorResolver {
  @Query(() => [ErrorKind], { description: 'Every kind of error that an operation can end with.' })
  @Allow({ auth: 'none' })
  errorKinds(): readonly ErrorKind[] {
    return ERROR_KINDS;
  }
}
