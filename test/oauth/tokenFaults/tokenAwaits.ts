const exchange = ['clients.find#1', 'codes.find#1']
const refresh = ['clients.find#1', 'refreshTokens.find#1']
const poll = ['clients.find#1', 'devices.find#1']
/** The access token, and the id_token that names its hash. */
const signed = ['signer.sign#1', 'signer.sign#2']
const sentAgain = [...refresh, 'refreshTokens.find#2', 'refreshTokens.isFamilyRevoked#1']

/**
 * Every await of every token story when nothing fails, in order. A new one fails the matrix until it is named here, and from
 * then on has its faults; so a round trip cannot be added unseen.
 */
export const tokenAwaits: Readonly<Record<string, readonly string[]>> = {
  'exchange of a code': [...exchange, 'accounts.find#1', ...signed, 'codes.consume#1'],
  'exchange of a code by a client that may not refresh': [...exchange, 'accounts.find#1', ...signed, 'codes.consume#1'],
  'exchange of a code by a client of others, which was not allowed to refresh': [
    ...exchange,
    'accounts.find#1',
    ...signed,
    'codes.consume#1',
  ],
  'exchange of a code that was used before': [...exchange, 'refreshTokens.revokeFamily#1'],
  'exchange of a code that has expired': exchange,
  'exchange of a code of another client': exchange,
  'exchange of a code with another verifier': exchange,
  'exchange of a code for a user who was switched off': [...exchange, 'accounts.find#1'],
  'poll of a device whose user has not decided': [...poll, 'devices.notePoll#1'],
  'poll of a device that came too early': [...poll, 'devices.notePoll#1'],
  'poll of a device that was allowed': [...poll, 'codes.find#1', 'accounts.find#1', ...signed, 'codes.consume#1'],
  'poll of a device that got its tokens before': [...poll, 'codes.find#1', 'refreshTokens.revokeFamily#1'],
  'poll of a device that was allowed too late': [...poll, 'codes.find#1'],
  'poll of a device that was denied': poll,
  'poll of a device that has expired': poll,
  'poll of a device of another client': poll,
  refresh: [...refresh, 'accounts.find#1', ...signed, 'refreshTokens.rotate#1'],
  'refresh sent again': [...sentAgain, 'accounts.find#1', ...signed],
  'refresh sent again for a user who was switched off since': [...sentAgain, 'accounts.find#1'],
  'refresh sent again in a family that was revoked since': sentAgain,
  'refresh sent again 30 s after the rotation': [...refresh, 'refreshTokens.revokeFamily#1'],
  'refresh sent again after its successor was used': [...sentAgain, 'refreshTokens.revokeFamily#1'],
  'refresh in a family that was revoked': [...refresh, 'accounts.find#1', ...signed, 'refreshTokens.rotate#1'],
  'refresh after 30 days': refresh,
  'refresh with a token of another client': refresh,
}
