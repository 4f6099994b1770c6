import type { FunctionRow } from './row.ts'

/**
 * What operators' commands may touch on AWS: the permissions of the role `<stage>-operator`. They may query the tables themselves and the
 * indexes. `test/security/iam/operator.deep.test.ts` fails if a command needs more, or if a permission is left unused.
 */
export const operator = {
  name: 'operator',
  tables: {
    accounts: ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    billing: ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    auditLog: ['Query', 'PutItem'],
    events: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  indexes: ['customers', 'pending'],
  kms: { customer: ['Decrypt', 'Encrypt'], webhook: ['Encrypt'], provider: ['Encrypt'] },
  secrets: ['stripeSecretKey'],
} as const satisfies Pick<FunctionRow, 'name' | 'tables' | 'indexes' | 'kms' | 'secrets'>
