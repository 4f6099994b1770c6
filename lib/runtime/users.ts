import { createUsers } from '../adapters/dynamodb/user.ts'
import type { Users } from '../users/ports.ts'
import { accountsTable, documents } from './dynamodb.ts'

/** The users of the table `accounts`. Throws z.ZodError where the environment does not name it. */
export function usersFromEnvironment(): Users {
  return createUsers(documents, accountsTable())
}
