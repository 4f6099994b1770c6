import type { GuardMutant } from './guardMutant.ts'

const provider = 'lib/signIn/provider/registeredProvider.ts'
const finish = 'lib/signIn/provider/finishProviderSignIn.ts'
const logout = 'lib/signIn/provider/backchannelLogout.ts'
const client = 'lib/adapters/openid/openIdClient.ts'
const rules = 'lib/organizations/admission/requireRulesMet.ts'
const save = 'lib/organizations/signOn/saveSignOn.ts'

const flowTest = 'test/signIn/provider/companyFlow.test.ts'
const logoutTest = 'test/signIn/provider/backchannelLogout.test.ts'
const rulesTest = 'test/organizations/admission/enforcedSignOn.deep.test.ts'
const signOnTest = 'test/organizations/signOn/signOn.test.ts'

/** The guards of the single sign-on of companies: for whom a provider speaks, whom it binds, and whom it signs out. */
export const companyMutants: readonly GuardMutant[] = [
  {
    name: 'speak-for-any-domain',
    guard: 'a company’s provider speaks for its own domains',
    edits: [
      {
        file: provider,
        within: 'speaksFor',
        kind: 'return',
        mentions: ['isVerified'],
        replacement: 'return isVerified && domain !== undefined',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'speak-for-unverified-addresses',
    guard: 'a company’s provider speaks for verified addresses',
    edits: [
      {
        file: provider,
        within: 'speaksFor',
        kind: 'return',
        mentions: ['isVerified'],
        replacement: 'return domain !== undefined && domains.includes(domain)',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'speak-for-an-account-that-has-left',
    guard: 'a company’s provider speaks for accounts with an address of its own now',
    edits: [{ file: finish, within: 'findOrCreate', kind: 'if', mentions: ['speaksFor', 'account'], replacement: '' }],
    caughtBy: [flowTest],
  },
  {
    name: 'connect-an-account-of-another-domain',
    guard: 'a company’s provider is connected with accounts of its domains',
    edits: [
      {
        file: 'lib/signIn/provider/connectProvider.ts',
        within: 'showConnection',
        kind: 'if',
        mentions: ['speaksFor'],
        replacement: '',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'link-a-person-for-every-organization',
    guard: 'a person is linked for one organization',
    edits: [
      {
        file: 'lib/adapters/dynamodb/identityStore.ts',
        within: 'digestOf',
        kind: 'constant',
        mentions: ['own', 'organizationId'],
        replacement: "const own = ''",
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'lead-to-a-provider-without-a-domain',
    guard: 'a sign-on ends with its domain',
    edits: [
      {
        file: 'lib/adapters/dynamodb/companyProviderStore.ts',
        within: 'find',
        kind: 'if',
        mentions: ['signOn', 'domains'],
        replacement: 'if (signOn === undefined || deletion !== undefined) return undefined',
      },
    ],
    caughtBy: [flowTest, logoutTest],
  },
  {
    name: 'register-a-provider-without-a-domain',
    guard: 'a sign-on needs a verified domain',
    edits: [
      {
        file: 'lib/adapters/dynamodb/signOnStore.ts',
        within: 'writeRule',
        kind: 'text',
        mentions: ['attribute_exists(verifiedDomains)'],
        replacement: "'attribute_exists(pk)'",
      },
    ],
    caughtBy: ['test/organizations/signOn/signOnStores.test.ts'],
  },
  {
    name: 'trust-two-factors-of-any-provider',
    guard: 'two factors there count if the owners trust them',
    edits: [
      {
        file: finish,
        within: 'start',
        kind: 'constant',
        mentions: ['hasTwoFactors', 'trustAcr'],
        replacement: 'const hasTwoFactors = claims.hasTwoFactors',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'enforce-no-sign-on',
    guard: 'members of the domain come by an enforced sign-on',
    edits: [
      {
        file: rules,
        within: 'requireRulesMet',
        kind: 'constant',
        mentions: ['isBound', 'isBoundBySignOn'],
        replacement: 'const isBound = false',
      },
    ],
    caughtBy: [rulesTest],
  },
  {
    name: 'take-the-sign-on-of-another-organization',
    guard: 'an enforced sign-on is the organization’s own',
    edits: [
      {
        file: rules,
        within: 'requireRulesMet',
        kind: 'constant',
        mentions: ['cameBySignOn', 'authentication'],
        replacement: 'const cameBySignOn = authentication.sso !== undefined',
      },
    ],
    caughtBy: [rulesTest],
  },
  {
    name: 'bind-the-break-glass-owner',
    guard: 'the break-glass owner is not bound',
    edits: [
      {
        file: rules,
        within: 'isBoundBySignOn',
        kind: 'return',
        mentions: ['breakGlassUserId'],
        replacement: 'return signOn?.isEnforced === true',
      },
    ],
    caughtBy: [rulesTest],
  },
  {
    name: 'bind-members-of-other-domains',
    guard: 'an enforced sign-on binds members of its domains',
    edits: [
      {
        file: rules,
        within: 'requireRulesMet',
        kind: 'constant',
        mentions: ['isBound', 'isBoundBySignOn'],
        replacement: (code) => code.replace('isAtDomain && ', ''),
      },
    ],
    caughtBy: [rulesTest],
  },
  {
    name: 'keep-what-came-by-a-lost-domain',
    guard: 'what came by a sign-on ends with its domain',
    edits: [
      {
        file: rules,
        within: 'requireRulesMet',
        kind: 'constant',
        mentions: ['isVoid', 'cameBySignOn'],
        replacement: 'const isVoid = false',
      },
    ],
    caughtBy: [rulesTest, 'test/security/revocation/leavers.test.ts'],
  },
  {
    name: 'require-a-factor-that-the-provider-has',
    guard: 'an owner who requires a factor has one here',
    edits: [
      {
        file: 'lib/organizations/admission/changeSignInRules.ts',
        within: 'changeSignInRules',
        kind: 'if',
        mentions: ['callerHasSecondFactor'],
        replacement: '',
      },
    ],
    caughtBy: [rulesTest],
  },
  {
    name: 'depose-the-break-glass-owner',
    guard: 'the break-glass owner stays an owner',
    edits: [
      {
        file: 'lib/adapters/dynamodb/organizationItem.ts',
        within: 'deposeOwner',
        kind: 'constant',
        mentions: ['condition'],
        replacement: "const condition = '(attribute_exists(pk) OR signOn.breakGlassUserId <> :deposed)'",
      },
    ],
    caughtBy: ['test/organizations/signOn/breakGlass.test.ts'],
  },
  {
    name: 'ask-an-issuer-inside-the-network',
    guard: 'an issuer has a public address',
    edits: [
      {
        file: 'lib/events/endpointUrl.ts',
        within: 'mayConnect',
        kind: 'return',
        mentions: ['unicast'],
        replacement: "return protocol === 'https:'",
      },
    ],
    caughtBy: [signOnTest],
  },
  {
    name: 'decrypt-a-secret-for-any-organization',
    guard: 'a provider’s secret is its owner’s',
    edits: [
      {
        file: 'lib/adapters/kms/contextCipher.ts',
        within: 'createProviderSecretCipher',
        kind: 'return',
        mentions: ['owner'],
        replacement: "return createSecretCipher(key, () => ({ purpose: 'provider_secret' }))",
      },
    ],
    caughtBy: [signOnTest],
  },
  {
    name: 'send-the-secret-to-another-issuer',
    guard: 'a provider’s secret goes to its issuer',
    edits: [
      { file: save, within: 'keptCipher', kind: 'return', mentions: ['cipher'], replacement: 'return before?.cipher' },
    ],
    caughtBy: [signOnTest],
  },
  {
    name: 'end-no-session-at-a-logout',
    guard: 'a logout ends sessions',
    edits: [
      {
        file: logout,
        within: 'endSignOn',
        kind: 'call',
        mentions: ['endListedSession'],
        replacement: 'Promise.resolve()',
      },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'leave-the-grants-of-clients-at-a-logout',
    guard: 'a logout ends the grants of clients',
    edits: [
      {
        file: logout,
        within: 'endSignOn',
        kind: 'constant',
        mentions: ['ids', 'grants'],
        replacement: (code) => code.replace('...browsers, ...grants', '...browsers'),
      },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'end-every-sign-in-at-a-logout',
    guard: 'a logout ends what came by its sign-on',
    edits: [{ file: logout, within: 'isMeant', kind: 'if', mentions: ['sso'], replacement: '' }],
    caughtBy: [logoutTest],
  },
  {
    name: 'end-every-session-of-a-subject-at-a-logout',
    guard: 'a logout of a session ends that session',
    edits: [
      { file: logout, within: 'isMeant', kind: 'if', mentions: ['ssoSession', 'includes'], replacement: 'return true' },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'count-a-logout-token-twice',
    guard: 'a logout token counts once',
    edits: [{ file: logout, within: 'backchannelLogout', kind: 'if', mentions: ['isUsed'], replacement: '' }],
    caughtBy: [logoutTest],
  },
  {
    name: 'take-a-logout-token-for-another-client',
    guard: 'a logout token is for this client',
    edits: [
      {
        file: client,
        within: 'readLogout',
        kind: 'member',
        mentions: ['audience'],
        replacement: 'audience: undefined',
      },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'take-a-logout-token-of-any-age',
    guard: 'a logout token is new',
    edits: [
      {
        file: client,
        within: 'readLogout',
        kind: 'member',
        mentions: ['maxTokenAge'],
        replacement: 'maxTokenAge: undefined',
      },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'take-an-id-token-as-a-logout-token',
    guard: 'a logout token is no id_token',
    edits: [
      {
        file: client,
        within: 'logoutSchema',
        kind: 'member',
        mentions: ['nonce'],
        replacement: 'nonce: z.optional(z.string())',
      },
    ],
    caughtBy: [logoutTest],
  },
  {
    name: 'take-a-token-of-another-event',
    guard: 'a logout token is of the event',
    edits: [
      {
        file: client,
        within: 'logoutSchema',
        kind: 'member',
        mentions: ['events'],
        replacement: 'events: z.looseObject({})',
      },
    ],
    caughtBy: [logoutTest],
  },
]
