// The public contract: catalogue, parameters, answers and errors. Validation, the OpenAPI document,
// the console's types and the command line derive from it. It is only ever added to.

export * from './accounts/account-contract.ts'
export * from './analysis/analysis-contract.ts'
export * from './analysis/analysis-orders.ts'
export * from './budgets/alert-contract.ts'
export * from './budgets/budget-contract.ts'
export * from './error-contract.ts'
export * from './exports/call-file-contract.ts'
export * from './exports/export-contract.ts'
export * from './keys/key-contract.ts'
export * from './prices/price-contract.ts'
export * from './prices/rate-contract.ts'
export * from './requests/request-contract.ts'
export * from './service/service-contract.ts'
export * from './usage/catalogue.ts'
export * from './usage/usage-contract.ts'
export * from './views/view-contract.ts'
