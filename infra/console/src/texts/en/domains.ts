/** The domains of an organization. */
export const domains = {
  title: 'Domains',
  lead: (organization: string) => `Prove which domains belong to ${organization}, and let your people join by them.`,
  none: 'No domain yet',
  noneText: 'Add the domain of your email addresses below.',
  listTitle: 'Domains',
  statuses: { pending: 'Not proven', verified: 'Verified', lost: 'Lost' },
  explained: {
    pending: 'Add the record to the domain, then verify it.',
    verified: 'We look for its record each week. Keep it in place.',
    lost: 'The record was missing three times in a row. Set it again, then verify the domain.',
  },
  record: {
    lead: 'This TXT record proves the domain. Set it where you manage the domain; other records stay as they are.',
    name: 'Name of the TXT record',
    value: 'Value of the TXT record',
  },
  verify: {
    button: 'Verify',
    named: (domain: string) => `Verify ${domain}`,
    done: (domain: string) => `${domain} is verified`,
    reasons: {
      no_record: 'There is no TXT record of this name yet. A new record can take an hour to be seen: try again later.',
      other_value: 'The TXT record of this name has another value. Compare it with the value below.',
      no_answer: 'The name servers of the domain do not answer. Try again later.',
    },
  },
  membership: {
    label: (domain: string) => `People with an address at ${domain}`,
    none: 'Need an invitation',
    offer: 'Are offered to join',
    join: 'Join when their address is verified',
    done: 'Saved',
  },
  remove: {
    button: 'Delete',
    named: (domain: string) => `Delete ${domain}`,
    question: (domain: string) => `Delete ${domain}?`,
    confirm: 'Delete domain',
    effects: 'Members stay members. Another organization can then verify the domain.',
    done: (domain: string) => `${domain} is deleted`,
  },
  add: {
    title: 'Add a domain',
    domain: 'Domain',
    hint: 'Exactly what is after the @ of your addresses. Add each subdomain separately.',
    problem: 'Use a domain such as example.com, without https and without an address.',
    button: 'Add domain',
    done: 'Now add the TXT record to the domain',
  },
}
