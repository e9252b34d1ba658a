export const contract = new File(['%PDF-1.7 …'], 'contract.pdf', { type: 'application/pdf' })
