import type { Font } from '../values/variant.ts';

// Item of Enum.Font, its family, and weight and style unless Regular and Normal; from Roblox's documentation of Font.fromEnum.
const table = `
AmaticSC AmaticSC; Antique RomanAntique; Arcade PressStart2P; Arial Arial; ArialBold Arial Bold; Arimo Arimo; ArimoBold Arimo Bold;
Bangers Bangers; Bodoni AccanthisADFStd; BuilderSans BuilderSans; BuilderSansMedium BuilderSans Medium; BuilderSansBold BuilderSans Bold;
BuilderSansExtraBold BuilderSans ExtraBold; Cartoon ComicNeueAngular; Code Inconsolata; Creepster Creepster; DenkOne DenkOne;
Fantasy Balthazar; Fondamento Fondamento; FredokaOne FredokaOne; Garamond Guru; Gotham GothamSSm; GothamBlack GothamSSm Heavy;
GothamBold GothamSSm Bold; GothamMedium GothamSSm Medium; GrenzeGotisch GrenzeGotisch; Highway HighwayGothic; IndieFlower IndieFlower;
JosefinSans JosefinSans; Jura Jura; Kalam Kalam; Legacy LegacyArial; LuckiestGuy LuckiestGuy; Merriweather Merriweather;
Michroma Michroma; Nunito Nunito; Oswald Oswald; PatrickHand PatrickHand; PermanentMarker PermanentMarker; Roboto Roboto;
RobotoCondensed RobotoCondensed; RobotoMono RobotoMono; Sarpanch Sarpanch; SciFi Zekton; SourceSans SourceSansPro;
SourceSansBold SourceSansPro Bold; SourceSansItalic SourceSansPro Regular Italic; SourceSansLight SourceSansPro Light;
SourceSansSemibold SourceSansPro SemiBold; SpecialElite SpecialElite; TitilliumWeb TitilliumWeb; Ubuntu Ubuntu`;

/** Item of the old `Enum.Font` to the font that replaced it. */
export const legacyFonts: ReadonlyMap<string, Font> = new Map(
  table.split(';').map((row): [string, Font] => {
    const [item = '', family = '', weight = 'Regular', style = 'Normal'] = row.trim().split(' ');
    return [
      item,
      { family: `rbxasset://fonts/families/${family}.json`, weight, style: style === 'Italic' ? 'Italic' : 'Normal' },
    ];
  }),
);
