import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'

interface MonthlyBudgetProps {
  readonly name: string
  readonly dollars: number
  readonly email: string
}

/** Sends a mail when the account's month has cost 80 % of its budget, or when AWS forecasts more than 100 %. One stage per account. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { name, dollars, email }: MonthlyBudgetProps) {
    super(scope, id)
    const subscribers = [{ subscriptionType: 'EMAIL', address: email }]
    const above = (notificationType: string, threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers,
    })
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: name,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [above('ACTUAL', 80), above('FORECASTED', 100)],
    })
  }
}
