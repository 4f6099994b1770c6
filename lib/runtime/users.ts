import { createCallers } from '../adapters/dynamodb/callerStore.ts'
import { createUsers } from '../adapters/dynamodb/userStore.ts'
import type { Callers, Users } from '../users/ports.ts'
import { accountsTable, documents } from './dynamodb.ts'

/** The callers of the table `accounts`. Throws Error where the environment does not name it. */
export function liveCallersFromEnvironment(): Callers {
  return createCallers(documents, accountsTable())
}

/** The users of the table `accounts`. Throws Error where the environment does not name it. */
export function usersFromEnvironment(): Users {
  return createUsers(documents, accountsTable())
}
