/** What the SDK knows when it asks where a service is. */
interface EndpointParameters {
  readonly Region?: string | undefined
  /** Where the client was given another endpoint than the region's. */
  readonly Endpoint?: string | undefined
  readonly UseFIPS?: boolean | undefined
  readonly UseDualStack?: boolean | undefined
}

/** The partitions of AWS that this can be deployed to, by the names of their regions. */
const suffixes = [
  [/^cn-\w+-\d$/, 'amazonaws.com.cn'],
  [/^(af|ap|ca|eu|il|me|mx|sa|us|us-gov)-\w+-\d$/, 'amazonaws.com'],
] as const

/**
 * Replaces the decision diagrams of the SDK's clients in bundles: a region's own endpoint of the service with this host name, or the one that
 * the client was given. Of what else they decide (FIPS, dual-stack, account ids, AWS's isolated partitions) no function here uses any.
 * @returns a function that throws Error for what is left out
 */
export function endpointsOf(hostName: string) {
  return ({ Region = '', Endpoint, UseFIPS, UseDualStack }: EndpointParameters) => {
    if (UseFIPS || UseDualStack) throw new Error('FIPS and dual-stack endpoints are left out of the bundles')
    const suffix = suffixes.find(([regions]) => regions.test(Region))?.[1]
    if (Endpoint === undefined && suffix === undefined) throw new Error(`${Region} is left out of the bundles' regions`)
    return { url: new URL(Endpoint ?? `https://${hostName}.${Region}.${suffix}`), properties: {}, headers: {} }
  }
}
