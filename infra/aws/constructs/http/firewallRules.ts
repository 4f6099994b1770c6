import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'

/** Rule groups that AWS keeps, in the order in which they are asked; of each, the rules that would refuse good calls and only count: why. */
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
 * Requests that one address may send in five minutes. To everything: 67 a second, since the console of a customer may call from one server
 * for all of its users. To what takes passwords and sends mail, where people sit before a form: 3 a second, of a whole office.
 */
const requestsPerAddress = { everything: 20_000, forms: 1000 } as const

/** What a caller over its limit is answered: the API's own 429 but for the request's id, which WAF cannot write. */
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
            ...['/api/oauth/authorize', '/api/account/security', '/api/users/me/email/confirm'].map((path) =>
              field({ uriPath: {} }, 'EXACTLY', path),
            ),
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
    // WAF counts anew every few seconds: a caller that is quiet for a minute is let in again.
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

/** The rules of the web ACL: one address cannot send without end, and what AWS knows to be bad is blocked. */
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
