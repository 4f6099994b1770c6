import { type DynamoDbRequest, lasting, limited, repeated, signedTwice, withDefaults } from './operation.ts'

/** The session and its account, and if the sign-in was recent enough. */
const visited: readonly DynamoDbRequest[] = [...repeated(2, ['GetItem', 1]), ['Query', 1]]

/** A code: the try counts for the session and the account, and is taken back because the code is right. Then the device and its client. */
const tried: readonly DynamoDbRequest[] = [
  ...repeated(2, ['UpdateItem', 1]),
  ...repeated(3, ['GetItem', 1]),
  ['TransactWriteItems', 2],
]

/** The operations of devices without a browser: what the device calls, and the page on which its user types the code. */
export const deviceOperations = withDefaults([
  {
    name: 'codes for a device',
    functionName: 'oauth-device-authorization',
    dynamoDb: [limited, ...repeated(2, ['GetItem', 1]), ['TransactWriteItems', 2]],
  },
  {
    name: 'page of devices',
    functionName: 'device',
    dynamoDb: [limited, ...visited],
  },
  {
    name: 'code of a device',
    functionName: 'device-submit',
    dynamoDb: [limited, ...visited, ...tried],
  },
  {
    // Of a user who allows the client for the first time: consent, decision, entry of the activity.
    name: 'consent to a device',
    functionName: 'device-submit',
    dynamoDb: [
      limited,
      ...visited,
      ...tried,
      ['GetItem', 1],
      ...repeated(2, ['PutItem', 1]),
      ['TransactWriteItems', 2],
    ],
    logBytes: 320,
  },
  {
    // A device polls every five seconds until its user has decided. The refusal is logged.
    name: 'poll of a device',
    functionName: 'oauth-token',
    dynamoDb: [limited, ...repeated(3, ['GetItem', 1]), ['UpdateItem', 1]],
    logBytes: 640,
  },
  {
    name: 'tokens for a device',
    functionName: 'oauth-token',
    dynamoDb: [limited, ...repeated(5, ['GetItem', 1]), ['TransactWriteItems', 4]],
    kms: signedTwice,
    milliseconds: lasting({ dynamoDb: 6, kms: 2 }),
  },
])
