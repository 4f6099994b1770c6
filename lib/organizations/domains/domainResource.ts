import * as z from 'zod/mini'
import { described, documented, named, organizationId, pydanticUuid, refuseScalar } from '../../http/schema.ts'
import { parseDomainName, proofNameOf } from './domainName.ts'
import { type Domain, domainMemberships, domainStatuses } from './ports.ts'

/** The path of a domain. */
export const domainPath = z.object({
  organization_id: organizationId(),
  domain_id: described('The `id` of a domain', pydanticUuid()),
})

/** A domain that an owner names, in lower case and ASCII. */
export const domainName = documented(
  {
    type: 'string',
    description: 'An exact domain such as `example.com`; its subdomains are other domains',
    maxLength: 253,
  },
  z.pipe(
    z.string().check(z.maxLength(253)),
    z.transform(
      (text, context) =>
        parseDomainName(text) ?? refuseScalar(context, 'value_error', 'Value error, not a domain such as example.com'),
    ),
  ),
)

/** What the owners choose for people with an address of the domain. */
export const domainMembership = described(
  'For people with a verified address of the domain, while it is verified: `none`, `offer` lists the organization among their invitations, `join` makes them members when their address is verified. Who was removed, left or declined is not asked again.',
  z.enum(domainMemberships),
)

/** A domain in the API. */
export const domainResource = named(
  'Domain',
  z.strictObject({
    id: described('The domain’s id in paths', z.uuid()),
    domain: described('The domain, in lower case and ASCII', z.string()),
    status: described(
      '`pending`: not proven yet. `verified`: it belongs to the organization; it is checked again each week. `lost`: the record was missing in three checks in a row',
      documented({ 'x-extensible-enum': [...domainStatuses] }, z.string()),
    ),
    txt_name: described('The full name of the TXT record that proves it', z.string()),
    txt_value: described('The value of the TXT record; other records of the name do not matter', z.string()),
    membership: domainMembership,
  }),
)

/** Maps a domain to the API's object. */
export function toDomainResource({ id, name, status, proof, membership }: Domain): z.infer<typeof domainResource> {
  return { id, domain: name, status, txt_name: proofNameOf(name), txt_value: proof, membership }
}
