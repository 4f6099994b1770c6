import type { GuardMutant } from './guardMutant.ts'

const page = 'lib/oauth/device/decideDevice.ts'
const poll = 'lib/oauth/token/exchangeDeviceCode.ts'
const store = 'lib/adapters/dynamodb/deviceAuthorizationStore.ts'

const flowTest = 'test/oauth/device/deviceFlow.test.ts'
const pageTest = 'test/oauth/device/devicePage.test.ts'
const guessTest = 'test/oauth/device/deviceGuesses.deep.test.ts'
const storeTest = 'test/oauth/tokenFaults/oauthStores.test.ts'

/** The guards of devices without a browser: who decides, how often, and what a poll gives. */
export const deviceMutants: readonly GuardMutant[] = [
  {
    name: 'count-no-code-of-a-device',
    guard: 'wrong codes of devices are counted',
    edits: [
      {
        file: page,
        within: 'findDevice',
        kind: 'constant',
        mentions: ['at', 'countGuess'],
        replacement: 'const at = deps.clock.now()',
      },
    ],
    caughtBy: [guessTest],
  },
  {
    name: 'count-right-codes-of-devices',
    guard: 'a right code of a device is no try',
    edits: [
      { file: page, within: 'findDevice', kind: 'call', mentions: ['takeBack'], replacement: 'Promise.resolve()' },
    ],
    caughtBy: [guessTest],
  },
  {
    name: 'show-the-decision-of-another-user',
    guard: 'a device is its user’s',
    edits: [
      { file: page, within: 'findDevice', kind: 'constant', mentions: ['isMine'], replacement: 'const isMine = true' },
    ],
    caughtBy: [pageTest],
  },
  {
    name: 'decide-on-a-device-that-has-expired',
    guard: 'a device is decided before it expires',
    edits: [
      {
        file: page,
        within: 'findDevice',
        kind: 'constant',
        mentions: ['isOpen', 'validUntil'],
        replacement: 'const isOpen = device !== undefined',
      },
    ],
    caughtBy: [pageTest],
  },
  {
    name: 'decide-in-an-old-sign-in',
    guard: 'a device needs a recent sign-in',
    edits: [{ file: page, within: 'showDevice', kind: 'if', mentions: ['isRecent'], replacement: '' }],
    caughtBy: [pageTest],
  },
  {
    name: 'keep-a-device-without-the-consent',
    guard: 'a device needs its user’s consent',
    edits: [
      {
        file: page,
        within: 'allowDevice',
        kind: 'member',
        mentions: ['needsConsent'],
        replacement: 'needsConsent: false',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'begin-for-any-client',
    guard: 'only clients of devices begin',
    edits: [
      {
        file: 'lib/oauth/device/requestDevice.ts',
        within: 'requestDevice',
        kind: 'if',
        mentions: ['grantTypes', 'DEVICE_CODE'],
        replacement: '',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'poll-with-the-code-of-another-client',
    guard: 'a device code is its client’s',
    edits: [{ file: poll, within: 'exchangeDeviceCode', kind: 'if', mentions: ['clientId'], replacement: '' }],
    caughtBy: [flowTest],
  },
  {
    name: 'poll-as-often-as-you-like',
    guard: 'a device waits between polls',
    edits: [{ file: poll, within: 'isTooEarly', kind: 'return', mentions: ['polledAt'], replacement: 'return false' }],
    caughtBy: [flowTest],
  },
  {
    name: 'take-a-device-code-from-a-browser',
    guard: 'a device code is for the grant of devices',
    edits: [
      {
        file: 'lib/oauth/token/exchangeAuthorizationCode.ts',
        within: 'exchangeAuthorizationCode',
        kind: 'operation',
        mentions: ['isForDevice'],
        replacement: '!code',
      },
    ],
    caughtBy: [flowTest],
  },
  {
    name: 'note-each-of-two-polls',
    guard: 'one of two polls is noted',
    edits: [
      {
        file: store,
        within: 'notePoll',
        kind: 'constant',
        mentions: ['isUnchanged', 'polledAt = :before'],
        replacement: "const isUnchanged = 'attribute_exists(pk)'",
      },
    ],
    caughtBy: [storeTest],
  },
  {
    name: 'decide-on-a-device-twice',
    guard: 'a device is decided once',
    edits: [
      {
        file: store,
        within: 'decide',
        kind: 'text',
        mentions: ['validUntil > :now AND attribute_not_exists(decision)'],
        replacement: "'validUntil > :now'",
      },
    ],
    caughtBy: [storeTest],
  },
  {
    name: 'give-a-user-code-twice',
    guard: 'a user code finds one device',
    edits: [
      {
        file: store,
        within: 'begin',
        kind: 'text',
        mentions: ['attribute_not_exists(pk) OR validUntil <= :now'],
        replacement: "'attribute_not_exists(pk) OR validUntil <> :now'",
      },
    ],
    caughtBy: [storeTest],
  },
]
