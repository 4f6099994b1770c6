import type { FunctionName } from '../manifest.ts'
import {
  type DynamoDbRequest,
  everyMinute,
  lasting,
  limited,
  ofCaller,
  opened,
  repeated,
  withDefaults,
} from './operation.ts'

/** The caller, and the organization's account and the membership. */
const readMembership: DynamoDbRequest = ['BatchGetItem', ofCaller + 2]

/** An operation of an organization's member. */
function ofMember(name: string, functionName: FunctionName, ...own: readonly DynamoDbRequest[]) {
  return { name, functionName, dynamoDb: [limited, readMembership, ...own] }
}

/** Reads a record and changes it. */
function changed(kilobytes: number): readonly DynamoDbRequest[] {
  return [
    ['GetItem', 1],
    ['TransactWriteItems', kilobytes],
  ]
}

/** An entry of the user's activity. */
const noted = ['PutItem', 1] as const

/** The owners, who get a mail; each other owner takes a read and a budget more. */
const toldToOwners = ['Query', 1] as const

/** A mail about a sign-in in a browser that the account does not know: its budgets, and the link in it. */
const mailedSignIn: readonly DynamoDbRequest[] = [['GetItem', 1], limited, limited, ['PutItem', 1]]

/** A sign-in that needs no second factor. */
const signedIn: readonly DynamoDbRequest[] = [
  ...repeated(2, ['TransactWriteItems', 2]),
  ...repeated(2, ['DeleteItem', 1]),
  noted,
  ...mailedSignIn,
]

/** Operations that sell nothing: of users, their sign-in and their organizations' API clients. */
export const accountOperations = withDefaults([
  {
    // In a browser without a session: the client, and the providers on offer.
    name: 'sign-in page',
    functionName: 'oauth-authorize',
    dynamoDb: [limited, ['GetItem', 1], ['Query', 1]],
  },
  {
    // Reads the provider's metadata as well.
    name: 'start at a provider',
    functionName: 'sso-start',
    dynamoDb: [limited, ['GetItem', 1], ['PutItem', 1]],
    milliseconds: lasting({ dynamoDb: 2, mail: 1 }),
  },
  {
    // When the password is right and the browser is not known yet.
    name: 'sign-in with a password',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [...repeated(3, limited), ...repeated(5, ['GetItem', 1]), ...signedIn],
    milliseconds: lasting({ dynamoDb: 13, password: 1, mail: 1 }),
  },
  {
    // After the password, which is a separate request.
    name: 'second factor of an app',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      ...repeated(2, limited),
      ['UpdateItem', 1],
      ...repeated(5, ['GetItem', 1]),
      ...[1, 1, 2].map((kilobytes) => ['TransactWriteItems', kilobytes] as const),
      ['Query', 1],
      ['DeleteItem', 1],
      ['DeleteItem', 1],
      noted,
      // The failures of this browser begin anew.
      ['UpdateItem', 1],
      ...mailedSignIn,
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 15, kms: 1, mail: 1 }),
  },
  {
    // The first of two requests: encrypts and shows the secret.
    name: 'key for an app',
    functionName: 'account-security-submit',
    dynamoDb: [limited, ['BatchGetItem', 1], ['Query', 1], ['TransactWriteItems', 2], ...repeated(3, ['GetItem', 1])],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 6, kms: 1 }),
  },
  {
    // The second request: a code of the app.
    name: 'set-up of an app',
    functionName: 'account-security-submit',
    dynamoDb: [
      ...repeated(3, limited),
      ...repeated(4, ['GetItem', 1]),
      ['Query', 1],
      ['TransactWriteItems', 2],
      ['TransactWriteItems', 3],
      ['DeleteItem', 1],
      noted,
      // The link that undoes it, for each address.
      ['GetItem', 1],
      ['PutItem', 1],
      // The sessions without a second factor that can be signed out.
      ['BatchGetItem', 1],
      ['Query', 1],
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 15, kms: 1, mail: 1 }),
  },
  {
    // As the only factor; its options are a separate request.
    name: 'sign-in with a passkey',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [limited, ...repeated(7, ['GetItem', 1]), ...signedIn],
    milliseconds: lasting({ dynamoDb: 14, mail: 1 }),
  },
  {
    name: 'options for a passkey',
    functionName: 'auth-passkey-options',
    dynamoDb: [limited, ['PutItem', 1]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    name: 'userinfo',
    functionName: 'oauth-userinfo',
    dynamoDb: [limited, ['BatchGetItem', ofCaller]],
  },
  {
    name: 'consents',
    functionName: 'users-me-consents',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1]],
  },
  {
    // When there is a single family of tokens to end.
    name: 'withdrawal of a consent',
    functionName: 'users-me-consent-withdraw',
    dynamoDb: [
      limited,
      ['BatchGetItem', ofCaller],
      ...repeated(3, ['Query', 1]),
      ['DeleteItem', 1],
      ['PutItem', 1],
      noted,
    ],
    logBytes: 320,
  },
  {
    // If the user is in no organization; each takes two more reads.
    name: 'export of an account',
    functionName: 'users-me-export',
    dynamoDb: [limited, ...repeated(7, ['BatchGetItem', ofCaller]), ...repeated(6, ['Query', 1]), ['GetItem', 1]],
    milliseconds: lasting({ dynamoDb: 3 }),
  },
  {
    // The request only. When the waiting time is over, the erasure deletes each of its items.
    name: 'deletion of an account',
    functionName: 'users-me-delete',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1], ['PutItem', 1], ['TransactWriteItems', 3], noted],
    milliseconds: lasting({ dynamoDb: 5, mail: 1 }),
  },
  {
    // The request only, with a check of every product's slot.
    name: 'deletion of an organization',
    functionName: 'organizations-delete',
    dynamoDb: [
      limited,
      readMembership,
      readMembership,
      // The customer, who may owe an invoice.
      ['BatchGetItem', 1],
      ['TransactWriteItems', 10],
      ['Query', 1],
      ['BatchGetItem', 1],
      // The user's budget of mails to others.
      limited,
    ],
    milliseconds: lasting({ dynamoDb: 7, mail: 1 }),
  },
  ofMember('restoring of an organization', 'organizations-restore', ['TransactWriteItems', 6]),
  ofMember('list of API clients', 'organizations-api-clients', ['Query', 1]),
  ofMember('creation of an API client', 'organizations-api-client-create', ['TransactWriteItems', 5], toldToOwners),
  ofMember('rotation of a secret of an API client', 'organizations-api-client-rotate', ...changed(4), toldToOwners),
  ofMember('deletion of an API client', 'organizations-api-client-delete', ...changed(5), toldToOwners),
  ofMember('list of webhook endpoints', 'webhook-endpoints', ['Query', 1]),
  {
    ...ofMember('creation of a webhook endpoint', 'webhook-endpoint-create', ['TransactWriteItems', 5]),
    kms: opened,
    milliseconds: lasting({ dynamoDb: 2, kms: 1 }),
  },
  ofMember('webhook endpoint', 'webhook-endpoint', ['GetItem', 1]),
  ofMember('change of a webhook endpoint', 'webhook-endpoint-update', ...changed(4)),
  {
    ...ofMember('rotation of a secret of a webhook endpoint', 'webhook-endpoint-rotate', ...changed(4)),
    kms: opened,
    milliseconds: lasting({ dynamoDb: 3, kms: 1 }),
  },
  {
    ...ofMember('test of a webhook endpoint', 'webhook-endpoint-test', ...changed(4)),
    indexWrites: 1,
  },
  ofMember('list of events', 'organizations-events', ['Query', 1]),
  ofMember('list of webhook deliveries', 'webhook-deliveries', ['GetItem', 1], ['Query', 1]),
  ofMember('webhook delivery again', 'webhook-delivery-resend', ['GetItem', 1], ...changed(4)),
  ofMember('deletion of a webhook endpoint', 'webhook-endpoint-delete', ...changed(5)),
  ofMember('list of domains', 'company-domains', ['Query', 1]),
  ofMember('claim of a domain', 'company-domain-create', ['TransactWriteItems', 6]),
  ofMember('verification of a domain', 'company-domain-verify', ['Query', 1], ['TransactWriteItems', 6]),
  ofMember('change of a domain', 'company-domain-update', ['Query', 1], ['TransactWriteItems', 4]),
  ofMember('deletion of a domain', 'company-domain-delete', ['Query', 1], ['TransactWriteItems', 5]),
  ofMember('single sign-on', 'company-sso', ['GetItem', 1]),
  {
    ...ofMember('change of a single sign-on', 'company-sso-save', ...changed(5)),
    kms: opened,
    milliseconds: lasting({ dynamoDb: 4, kms: 1 }),
  },
  ofMember('deletion of a single sign-on', 'company-sso-delete', ...changed(5)),
  ofMember('test of a single sign-on', 'company-sso-test', ['GetItem', 1]),
  {
    name: 'erasure with nothing due',
    functionName: 'deletions-erase',
    dynamoDb: repeated(2, ['Query', 1]),
    logBytes: 600,
    monthly: 30.4,
  },
  everyMinute('removal of factors with nothing due', 'factor-resets-run', ['Query', 1]),
  {
    name: 'check of domains with nothing due',
    functionName: 'domains-check',
    dynamoDb: [['Query', 1]],
    logBytes: 300,
    monthly: 30,
  },
])
