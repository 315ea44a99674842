// The mappings below come from a data file of the Unicode Consortium (confusables.txt, Unicode 15.0), selected and rewritten.
//
// UNICODE LICENSE V3 (SPDX: Unicode-3.0), COPYRIGHT AND PERMISSION NOTICE
// Copyright © 1991-2022 Unicode, Inc.
// Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated documentation
// (the "Data Files") or software and any associated documentation (the "Software") to deal in the Data Files or Software
// without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell
// copies of the Data Files or Software, and to permit persons to whom the Data Files or Software are furnished to do so,
// provided that either (a) this copyright and permission notice appear with all copies of the Data Files or Software, or (b)
// this copyright and permission notice appear in associated Documentation.
// THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
// TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT
// SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR
// CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
// CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES
// OR SOFTWARE.
// Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to promote
// the sale, use or other dealings in these Data Files or Software without prior written authorization of the copyright holder.

/**
 * Characters of any script that look like Latin letters or digits without accents: `target=source,source`, with code points in
 * hexadecimal; the code points of a longer target are joined by `+`. Only characters that a username can contain after NFKC and NFD are
 * listed, and no target needs to be mapped again.
 */
export const confusables = `
32=1a7,3e8,14bf,a644,a6ef,a75a 33=1b7,21c,417,4e0,2ccc,a76a,a7ab,118ca,16f3b 34=13ce,118af 35=1bc,118bb 36=431,13ee,2cd2,118d5
37=104d2,118c6 38=222,223,9ea,a6a,b03,1031a,1e8cb 39=9ed,a67,b68,d6d,2cca,a76e,118ac,118cc,118d6
41=391,410,13aa,15c5,a4ee,102a0,16f40 41+41=a732 41+45=c6,4d4 41+4f=a734 41+55=a736 41+56=a738,a73a 41+59=a73c
42=392,412,13f4,15f7,a4d0,a7b4,10282,102a1,10301 43=421,13df,2ca4,a4da,102a2,10302,10415,1051c,118e9,118f2
44=13a0,15de,15ea,a4d3 45=395,415,13ac,2d39,a4f0,10286,118a6,118ae 46=3dc,15b4,a4dd,a798,10287,102a5,10525,118a2,118c2
47=50c,13c0,13f3,a4d6 48=397,41d,13bb,157c,2c8e,a4e7,102cf 4a=37f,408,13ab,148d,a4d9,a7b2 4b=39a,41a,13e6,16d5,2c94,a4d7,10518
4c=13de,14aa,2cd0,a4e1,1041b,10526,118a3,118b2,16f16 4d=39c,3fa,41c,13b7,15f0,16d6,2c98,a4df,102b0,10311 4e=39d,2c9a,a4e0,10513
4f=30,39f,41e,555,7c0,9e6,b20,b66,12d0,2c9e,2d54,3007,a4f3,10292,102ab,10404 4f=104c2,10516,114d0,118b5,118e0 4f+45=152
4f+4f=a698,a74e 50=3a1,420,13e2,146d,2ca2,a4d1,10295 51=2d55 52=1a6,13a1,13d2,1587,a4e3,104b4,16f35
53=405,54f,13d5,13da,a4e2,10296,10420,16f3a 54=3a4,422,13a2,2ca6,a4d4,10297,102b1,10315,118bc,16f0a 54+33=a728
55=54d,1200,144c,a4f4,104ce,118b8,16f42 56=474,667,6f7,13d9,142f,2d38,a4e6,a6df,1051d,118a0,16f08
57=51c,13b3,13d4,a4ea,118e6,118ef 58=3a7,425,16b7,2cac,2d5d,a4eb,a7b3,10290,102b4,10317,10322,10527,118ec
59=3a5,423,4ae,13a9,13bd,2ca8,a4ec,102b2,118a4,16f43 5a=396,13c3,a4dc,102f5,118a9,118e5 61=251,3b1,430 61+61=a733 61+65=e6,4d5
61+6f=a735 61+75=a737 61+76=a739,a73b 61+79=a73d 62=184,42c,13cf,1472,15af 62+6c=42b 63=441,1d04,2ca5,abaf,1043d
64=501,13e7,146f,a4d2 64+7a=2a3 65=435,4bd,ab32 66=584,1e9d,a799,ab35 67=18d,261,581,1d83 68=4bb,570,13c2
69=131,269,26a,3b9,456,4cf,13a5,a647,ab75,118c3 6a=3f3,458 6c=31,49,196,1c0,399,406,4c0,5d5,5df,627,661,6f1,7ca,16c1,2c92,2d4f
6c=a4f2,1028a,10309,10320,16f28,1e8c7 6c+4f=42e 6c+6c=1c1,5f0 6c+73=2aa 6c+7a=2ab 6e=578,57c
6f=3bf,3c3,43e,585,5e1,647,665,6be,6c1,6d5,6f5,966,a66,ae6,be6,c02
6f=c66,c82,ce6,d02,d20,d66,d82,e50,ed0,101d,1040,10ff,1d0f,1d11,2c9f,ab3d 6f=1042c,104ea,118c8,118d7 6f+65=153 6f+6f=a699,a74f
70=3c1,440,2ca3 71=51b,563,566 72=433,1d26,2c85,ab47,ab48,ab81 72+6e=6d,11700,118e3 73=1bd,455,a731,abaa,10448,118c1 74+66=a777
74+73=2a6 75=28b,3c5,57d,1d1c,a79f,ab4e,ab52,104f6,118d8 75+65=1d6b 75+6f=ab63 76=3bd,475,5d8,1d20,aba9,11706,118c0
77=26f,461,51d,561,1d21,ab83,1170a,1170e,1170f 78=445,1541,157d 79=263,28f,3b3,443,4af,10e7,1d8c,1eff,ab5a,118dc
7a=1d22,ab93,118c4
`;
