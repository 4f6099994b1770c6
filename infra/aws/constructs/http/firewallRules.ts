import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'

/** AWS's managed rule groups in order of evaluation. For each: rules that only count, because they would refuse good calls, and why. */
export const managedRules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AWSManagedRulesAmazonIpReputationList: {},
  AWSManagedRulesCommonRuleSet: {
    NoUserAgent_HEADER: 'Servers call the API, and HTTP libraries need not name themselves',
    SizeRestrictions_BODY: 'It ends at 8 KiB; the API takes 32 KiB, and answers 413 itself',
    SizeRestrictions_QUERYSTRING: 'It ends at 2 KiB; an authorization request with its state may be longer',
    GenericRFI_QUERYARGUMENTS: 'Native applications are redirected to http://127.0.0.1:<port> (RFC 8252 §7.3)',
    GenericRFI_BODY: 'The same redirect URI is in the body of a token request (RFC 6749 §4.1.3)',
    GenericLFI_BODY: 'A password may hold ../, and no body becomes a path',
    CrossSiteScripting_BODY: 'A password or a name may hold <script>; pages escape what they show',
  },
  AWSManagedRulesKnownBadInputsRuleSet: {},
}

/**
 * Requests that an address may send in five minutes. In all: 67 a second, because a customer's console may call from a single server for all
 * of its users. To forms that take passwords or send mail: 3 a second, enough when a whole office shares an address.
 */
const requestsPerAddress = { everything: 20_000, forms: 1000 } as const

/** The answer when a caller is over its limit: the API's own 429, without the request's id, which WAF cannot write. */
export const rateLimitedBody = {
  key: 'RateLimited',
  content: JSON.stringify({ detail: 'Too many requests', code: 'rate_limited', request_id: '' }),
} as const

function visible(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // A sample would show whole requests, tokens included.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false }
}

function field(part: object, positionalConstraint: string, searchString: string): CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: 'NONE' }]
  return { byteMatchStatement: { fieldToMatch: part, positionalConstraint, searchString, textTransformations } }
}

const toForms: CfnWebACL.StatementProperty = {
  andStatement: {
    statements: [
      field({ method: {} }, 'EXACTLY', 'POST'),
      {
        orStatement: {
          statements: [
            field({ uriPath: {} }, 'STARTS_WITH', '/api/auth/'),
            ...[
              '/api/oauth/authorize',
              '/api/device',
              '/api/sso/callback',
              '/api/account/security',
              '/api/users/me/email/confirm',
            ].map((path) => field({ uriPath: {} }, 'EXACTLY', path)),
          ],
        },
      },
    ],
  },
}

function rateRule(
  name: string,
  priority: number,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.RuleProperty {
  const customResponse = {
    responseCode: 429,
    customResponseBodyKey: rateLimitedBody.key,
    // WAF counts again every few seconds: if a caller is quiet for a minute, it is let in again.
    responseHeaders: [{ name: 'Retry-After', value: '60' }],
  }
  return {
    name,
    priority,
    action: { block: { customResponse } },
    statement: {
      rateBasedStatement: { limit, aggregateKeyType: 'IP', ...(scopeDownStatement && { scopeDownStatement }) },
    },
    visibilityConfig: visible(name),
  }
}

/** The rules of the web ACL: they limit each address, and block what AWS knows to be bad. */
export const firewallRules: CfnWebACL.RuleProperty[] = [
  rateRule('RatePerAddress', 0, requestsPerAddress.everything),
  rateRule('RateOfForms', 1, requestsPerAddress.forms, toForms),
  ...Object.entries(managedRules).map(([name, counted], index) => ({
    name,
    priority: index + 2,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: Object.keys(counted).map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visible(name),
  })),
]
