interface EndpointParameters {
  readonly Region?: string | undefined
  /** Set if the client was given its own endpoint. */
  readonly Endpoint?: string | undefined
  readonly UseFIPS?: boolean | undefined
  readonly UseDualStack?: boolean | undefined
}

/** Domains of AWS's partitions, by the names of their regions. */
const suffixes = [
  [/^cn-\w+-\d$/, 'amazonaws.com.cn'],
  [/^(af|ap|ca|eu|il|me|mx|sa|us|us-gov)-\w+-\d$/, 'amazonaws.com'],
] as const

/** The domain of a region's endpoints; undefined for regions that the bundles leave out. */
export function domainOf(region: string): string | undefined {
  return suffixes.find(([regions]) => regions.test(region))?.[1]
}

/**
 * Replaces the decision diagrams of the SDK's clients in bundles. Returns the endpoint that the client was given, or else the region's
 * endpoint of the service with this host name. No function here uses FIPS, dual-stack, account ids or AWS's isolated partitions.
 * @returns a function that throws Error when asked for any of these
 */
export function endpointsOf(hostName: string) {
  // Like the SDK, each call asks anew. A client has one endpoint, or two.
  const known = new Map<string, { url: URL; properties: object; headers: object }>()
  return ({ Region = '', Endpoint, UseFIPS, UseDualStack }: EndpointParameters) => {
    if (UseFIPS || UseDualStack) throw new Error('FIPS and dual-stack endpoints are left out of the bundles')
    const place = Endpoint ?? Region
    const before = known.get(place)
    if (before !== undefined) return before
    const endpoint = { url: new URL(Endpoint ?? regional(hostName, Region)), properties: {}, headers: {} }
    known.set(place, endpoint)
    return endpoint
  }
}

function regional(hostName: string, region: string): string {
  const suffix = domainOf(region)
  if (suffix === undefined) throw new Error(`${region} is left out of the bundles' regions`)
  return `https://${hostName}.${region}.${suffix}`
}
