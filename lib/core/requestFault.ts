/** Why an address that a stranger named is not connected to. */
export type AddressFault = 'not_a_url' | 'not_https' | 'has_credentials' | 'not_resolved' | 'forbidden_address'

/** Why a request to such an address got no answer. */
export type RequestFault = AddressFault | 'timeout' | 'connection_failed' | 'bad_certificate' | 'bad_answer'
