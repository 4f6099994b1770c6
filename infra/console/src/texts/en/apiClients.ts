import type { ApiClient } from '../../app/types.ts'

/** The programs that act for an organization. */
export const apiClients = {
  title: 'API clients',
  lead: (organization: string) => `Programs that act for ${organization} by themselves, such as your own server.`,
  none: 'No program has access',
  createBelow: 'Create an API client below to call the API from a server.',
  owners: 'Owners create API clients, give them new secrets and delete them.',
  seeMembers: 'See who they are',
  askOwner: 'An owner of the organization can create an API client.',
  scopes: {
    'entitlements:read': 'See what the organization has bought',
    'billing:read': 'See subscriptions, prices, cards, invoices and billing details',
    'billing:write': 'Buy, cancel and resume products, and change cards and billing details',
    'members:read': 'See who belongs to the organization, without email addresses',
    'audit_log:read': 'See who changed what in the organization',
    'events:read': 'See the events that are sent to webhooks',
  } satisfies Record<ApiClient['scopes'][number], string>,
  twoSecrets: 'Two secrets',
  createdUnused: (day: string) => `Created ${day} · Never used`,
  createdUsed: (day: string, lastUsed: string) => `Created ${day} · Last used ${lastUsed}`,
  oldSecretUntil: (time: string) => `The old secret works until ${time}`,
  create: {
    title: 'Create an API client',
    name: 'Name',
    hint: 'What the program does, so that you can recognize it later.',
    example: 'Nightly export',
    may: 'It may',
    button: 'Create API client',
  },
  rotate: {
    button: 'New secret',
    named: (name: string) => `New secret for ${name}`,
    question: (name: string) => `Give ${name} a new secret?`,
    confirm: 'Create new secret',
    keep: 'Keep the secret',
    expiry: 'The current secret',
    expiries: { '24h': 'Works for 24 more hours', '1h': 'Works for one more hour', now: 'Stops working now' },
    effects: {
      '24h':
        'The current secret and the new one both work for 24 hours. Put the new one into your program in that time: after it, the old one is refused.',
      '1h': 'Put the new secret into your program within the hour: after it, the old one is refused.',
      now: 'Choose this if a stranger may know the secret. Your program is refused until it has the new one. Its access tokens work for up to 15 minutes.',
    },
    endsBoth:
      'This API client has two secrets. Both stop working now, and your program is refused until it has the new one. Its access tokens work for up to 15 minutes.',
  },
  remove: {
    button: 'Delete',
    named: (name: string) => `Delete ${name}`,
    question: (name: string) => `Delete ${name}?`,
    confirm: 'Delete API client',
    effects:
      'Its secret and its access tokens stop working right away, and the program with them. This cannot be undone.',
    done: (name: string) => `${name} is deleted`,
  },
  secret: {
    title: (name: string) => `The secret of ${name}`,
    lostTitle: (name: string) => `The secret of ${name} did not arrive`,
    lost: 'The API client is created, but the answer with its secret was lost. Give it a new secret in the list.',
    store: 'Store the secret now, where only your program can read it. It is not shown again.',
    id: 'Client ID',
    secret: 'Client secret',
    command: 'Command that gets an access token',
    stored: 'I have stored it',
  },
}
