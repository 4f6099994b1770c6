import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'

/** Rule groups that AWS keeps, in the order in which they are asked. */
const managed = [
  'AWSManagedRulesAmazonIpReputationList',
  'AWSManagedRulesCommonRuleSet',
  'AWSManagedRulesKnownBadInputsRuleSet',
]

/** Requests that one address may send in five minutes. */
const requestsPerAddress = 2000

function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // A sample would show whole requests, tokens included.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false }
}

/** The rules of the web ACL: one address cannot send without end, and what AWS knows to be bad is blocked. */
export const firewallRules: CfnWebACL.RuleProperty[] = [
  {
    name: 'RatePerAddress',
    priority: 0,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
    visibilityConfig: visible('RatePerAddress'),
  },
  ...managed.map((name, index) => ({
    name,
    priority: index + 1,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
    visibilityConfig: visible(name),
  })),
]
