/** Why an address that a stranger named is not connected to. */
export const addressFaults = ['not_a_url', 'not_https', 'has_credentials', 'not_resolved', 'forbidden_address'] as const
export type AddressFault = (typeof addressFaults)[number]

/** Why a request to such an address got no answer. */
export const requestFaults = [
  ...addressFaults,
  'timeout',
  'connection_failed',
  'bad_certificate',
  'bad_answer',
] as const
export type RequestFault = (typeof requestFaults)[number]
