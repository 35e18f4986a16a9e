import { describe, expect, it } from 'vitest';
import { targetOf } from './join';

const HERE = 'https://crescent.example';

describe('join box', () => {
  it('takes a whole link of this site, with or without its scheme', () => {
    expect(targetOf(`${HERE}/races/K7QM2/`, HERE)).toBe('/races/K7QM2/');
    expect(targetOf('crescent.example/races/K7QM2', HERE)).toBe('/races/K7QM2/');
  });

  it('follows no link to another site', () => {
    expect(targetOf('https://elsewhere.example/races/K7QM2/', HERE)).toBeNull();
  });

  it('takes race codes in any case', () => {
    expect(targetOf(' k7qm2 ', HERE)).toBe('/races/K7QM2/');
  });

  it('takes deal codes with any dashes or none', () => {
    for (const code of ['CR1-N-AAAAAAB', 'cr1 n aaaaaab', 'CR1–N–AAAAAAB', 'CR1NAAAAAAB']) {
      expect(targetOf(code, HERE)).toBe('/deals/CR1-N-AAAAAAB/');
    }
  });

  it('leaves the rest to the server', () => {
    expect(targetOf('what is this?', HERE)).toBeNull();
    expect(targetOf('', HERE)).toBeNull();
  });
});
