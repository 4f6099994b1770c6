import type { Role } from '../../lib/organizations/ports.ts'

/** The fixed secrets of the local stack: the same on every machine, and useless anywhere else. */
export const localSecrets = {
  kmsSeed: 'console-backend local stack',
  stripeSecretKey: 'sk_test_local',
  stripePublishableKey: 'pk_test_local',
  webhookSecret: 'whsec_local_current',
  knownBrowserKey: 'known-browser-key-of-the-local-stack',
  previousWebhookSecret: 'whsec_local_previous',
  eventSecret: 'whsec_bG9jYWwgc3RhY2s6IGV2ZW50cyB0byBvcGVyYXRvciE=',
} as const

/** Key ids of the local KMS. */
export const localKeys = {
  customer: '6b1f0e52-3c0d-4d0a-9a53-0c7f4e0d8a11',
  token: 'd2c5b8f4-7e16-4f7b-8f0e-5a9c3b1d6e22',
} as const

/** The `aud` of access tokens, the same for every local stack. */
export const localAudience = 'https://api.console.example.com'

/** The endpoint of the local stack's own receiver of events. */
export const localEndpointId = '5f0b7c1a-93d4-4c62-8a1e-7d2f4b6c8e05'

/** The sender of the local stack's mails. */
export const localMail = { from: 'Console <no-reply@console.example.com>' } as const

/** The demo's OAuth client with a secret; first-party, like the other two. */
export const demoClient = {
  clientId: 'demo-console',
  clientSecret: 'demo-console-secret_4fJ8sKq2Lw9xTz7Rb1Vn',
  name: 'Demo console',
  redirectUri: 'https://console.example.com/oauth/callback',
  postLogoutRedirectUri: 'https://console.example.com/signed-out',
} as const

/** The demo's public client: an app on the developer's machine, on any port, with PKCE and without a secret. */
export const demoPublicClient = {
  clientId: 'demo-native',
  name: 'Demo native app',
  redirectUri: 'http://127.0.0.1:8080/callback',
  postLogoutRedirectUri: 'http://127.0.0.1:8080/signed-out',
} as const

/** The demo's command line, a device without a browser: `npm run cli`. First-party too. */
export const demoDeviceClient = { clientId: 'demo-cli', name: 'Demo command line' } as const

/** The OpenID provider of the local stack, and who can be chosen there. */
export const demoProvider = {
  id: 'local',
  name: 'the emulated provider',
  clientId: 'demo-service',
  clientSecret: 'demo-provider-secret_6kR2wPz8Ns',
  people: [
    { subject: 'newcomer', name: 'Newcomer', email: 'newcomer@example.com', isEmailVerified: true },
    { subject: 'owner', name: 'Owner of the demo', email: 'owner@example.com', isEmailVerified: true },
    { subject: 'unverified', name: 'Unverified address', email: 'unverified@example.com', isEmailVerified: false },
    {
      subject: 'two-factors',
      name: 'With two factors',
      email: 'factors@example.com',
      isEmailVerified: true,
      hasTwoFactors: true,
    },
  ],
} as const

/** The demo's service client: a server that reads every organization. */
export const demoServiceClient = {
  clientId: 'service_7c41d9e25b3f4a0896d1e0f2a3b4c5d6',
  clientSecret: 'demo-service-secret_9pQ2mXv7Ts4Kd8Wy1Zc',
  name: 'Demo product server',
} as const

/** The client of the reference console, `/_local/console`; first-party, so that users need not consent when they sign in. */
export const demoBrowserConsole = { clientId: 'demo-browser-console', name: 'Console' } as const

/** The same with the redirect URIs of the stack at `baseUrl`. */
export function demoBrowserConsoleAt(baseUrl: string) {
  return {
    ...demoBrowserConsole,
    redirectUri: `${baseUrl}/_local/console/callback`,
    postLogoutRedirectUri: `${baseUrl}/_local/console/`,
  } as const
}

export const demoUsers = {
  owner: {
    id: '0a6f2a3e-5d1c-4b57-9c43-1f2e7d8b9a01',
    email: 'owner@example.com',
    username: 'demo-owner',
    password: 'owner-password-4c1d',
  },
  billing_admin: {
    id: '1b7e3b4f-6e2d-4c68-8d54-2a3f8e9cab02',
    email: 'billing-admin@example.com',
    username: 'demo-billing-admin',
    password: 'billing-admin-password-7e2f',
  },
  member: {
    id: '2c8f4c50-7f3e-4d79-9e65-3b4a9fadbc03',
    email: 'member@example.com',
    username: 'demo-member',
    password: 'member-password-9a3b',
  },
  stranger: {
    id: '3d905d61-804f-4e8a-af76-4c5ba0becd04',
    email: 'stranger@example.com',
    username: 'demo-stranger',
    password: 'stranger-password-1d5e',
  },
} as const

export type DemoUser = keyof typeof demoUsers

/** The hashes of the passwords above, so that seeding a stack need not compute them. */
export const demoPasswordHashes: Readonly<Record<DemoUser, string>> = {
  owner: '$argon2id$v=19$m=19456,t=2,p=1$BvgstY6WW22kRRNrZF9emA$reTd01ukPZy5wwH2wrz49xS/fXaom1bYPaRGlGIF/7M',
  billing_admin: '$argon2id$v=19$m=19456,t=2,p=1$MD35o4CD9g2OQ/Ml9orw5Q$tp3EHflkSXRie/KTZDYVpFmXm6doZWWY7zs+Z1/qjr8',
  member: '$argon2id$v=19$m=19456,t=2,p=1$aE0XLj1WWkcapKkfWdCI7Q$SkzV5RMX85ktwNYLPPowxBgPHPioyEn0/z1BNmAfCo4',
  stranger: '$argon2id$v=19$m=19456,t=2,p=1$T44ZCFQBZ7Voh/GxtfNklw$jY1UUmlccghjXYkMhzMJNpXCWSvYRnxBD4n+qCOo5Yk',
}

/** The creation time of the demo's users and organizations: a constant, so that when a stack is seeded again, the items are the same. */
export const DEMO_CREATED_AT = Date.UTC(2026, 0, 15, 9, 0, 0)

interface DemoOrganization {
  readonly id: string
  readonly name: string
  readonly members: readonly { readonly user: DemoUser; readonly role: Role }[]
}

export const demoOrganizations = {
  first: {
    id: '4ea16e72-9150-4f9b-b087-5d6cb1cfde05',
    name: 'Demo organization',
    members: [
      { user: 'owner', role: 'owner' },
      { user: 'billing_admin', role: 'billing_admin' },
      { user: 'member', role: 'member' },
    ],
  },
  second: {
    id: '5fb27f83-a261-40ac-8198-6e7dc2d0ef06',
    name: 'Second organization of the owner',
    members: [{ user: 'owner', role: 'owner' }],
  },
  other: {
    id: '60c38094-b372-41bd-92a9-7f8ed3e1f007',
    name: 'The stranger’s organization',
    members: [{ user: 'stranger', role: 'owner' }],
  },
} as const satisfies Record<string, DemoOrganization>
