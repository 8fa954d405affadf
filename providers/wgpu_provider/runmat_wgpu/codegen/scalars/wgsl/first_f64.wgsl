fn d_hi(x:f64)->u32 { return u32(bitcast<u64>(x)>>32u); }

fn d_mk(hi:u32,lo:u32)->f64 { return bitcast<f64>((u64(hi)<<32u)|u64(lo)); }

fn d_pow2i(k:i32)->f64 { return d_mk(u32(k+1023)<<20u,0u); }

fn exp_f64(x:f64)->f64 {
  let xc=clamp(x,-800.0lf,800.0lf);
  let kf=floor(xc*1.4426950408889634lf+0.5lf);
  let hi=opaque_f64(xc-kf*6.93147180369123816490e-01lf); let lo=opaque_f64(kf*1.90821492927058770002e-10lf);
  let r=opaque_f64(hi-lo); let t=r*r;
  let c=r-t*(1.66666666666666019037e-01lf+t*(-2.77777777770155933842e-03lf+t*(6.61375632143793436117e-05lf+t*(-1.65339022054652515390e-06lf+t*4.13813679705723846039e-08lf))));
  let y=1.0lf-opaque_f64(opaque_f64(lo-(r*c)/(2.0lf-c))-hi);
  let k=i32(kf); let k1=k>>1u; let k2=k-k1;
  var v=opaque_f64(y*d_pow2i(k1))*d_pow2i(k2);
  v=select(v,inf_f64(),x>709.782712893384lf); v=select(v,0.0lf,x< -745.13321910194122lf);
  return select(v,x,isnan_f64(x));
}

fn log_f64(x:f64)->f64 {
  let sub=x<2.2250738585072014e-308lf;
  let xs=select(x,x*18014398509481984.0lf,sub);
  let lo=u32(bitcast<u64>(xs)); let hx=d_hi(xs)+0x00095f62u;    // 0x3ff00000-0x3fe6a09e
  let k=i32(hx>>20u)-1023-select(0,54,sub);
  let m=d_mk((hx&0x000fffffu)+0x3fe6a09eu,lo);
  let f=m-1.0lf; let hf=0.5lf*f*f; let s=f/(2.0lf+f); let z=s*s; let w=z*z;
  let t1=w*(3.999999999940941908e-01lf+w*(2.222219843214978396e-01lf+w*1.531383769920937332e-01lf));
  let t2=z*(6.666666666666735130e-01lf+w*(2.857142874366239149e-01lf+w*(1.818357216161805012e-01lf+w*1.479819860511658591e-01lf)));
  let dk=f64(k);
  var v=opaque_f64(opaque_f64(s*(hf+(t1+t2))+dk*1.90821492927058770002e-10lf)-hf)+f;
  v=opaque_f64(v)+dk*6.93147180369123816490e-01lf;
  v=select(v,nan_f64(),x<0.0lf); v=select(v,-inf_f64(),x==0.0lf);
  return select(v,x,isnan_f64(x)||x==inf_f64());
}

struct TRD { r:f64, t:f64, q:i32 };

fn d_tr(x:f64)->TRD {                              // fdlibm medium path: |x| < ~1e9 with full accuracy to ~1e6
  let n=floor(x*6.36619772367581382433e-01lf+0.5lf);
  let t0=opaque_f64(x-n*1.57079632673412561417e+00lf); let w0=opaque_f64(n*6.07710050630396597660e-11lf);   // 33+33 bits
  let t1=opaque_f64(t0-w0); let w1=opaque_f64(n*2.02226624879595063154e-21lf-opaque_f64(opaque_f64(t0-t1)-w0));
  let y0=opaque_f64(t1-w1);
  return TRD(y0,opaque_f64(opaque_f64(t1-y0)-w1),i32(n));
}

fn d_ks(x:f64,y:f64)->f64 { let z=x*x; let v=z*x; let r=8.33333333332248946124e-03lf+z*(-1.98412698298579493134e-04lf+z*(2.75573137070700676789e-06lf+z*(-2.50507602534068634195e-08lf+z*1.58969099521155010221e-10lf))); return x-opaque_f64(opaque_f64(z*(0.5lf*y-v*r)-y)+v*1.66666666666666324348e-01lf); }

fn d_kc(x:f64,y:f64)->f64 { let z=x*x; let r=z*(4.16666666666666019037e-02lf+z*(-1.38888888888741095749e-03lf+z*(2.48015872894767294178e-05lf+z*(-2.75573143513906633035e-07lf+z*(2.08757232129817482790e-09lf+z*-1.13596475577881948265e-11lf))))); let hz=0.5lf*z; let w=opaque_f64(1.0lf-hz); return w+opaque_f64(opaque_f64(opaque_f64(1.0lf-w)-hz)+(z*r-x*y)); }

fn sin_f64(x:f64)->f64 { if (isnan_f64(x)||isinf_f64(x)) { return nan_f64(); } let t=d_tr(x); let v=select(d_ks(t.r,t.t),d_kc(t.r,t.t),(t.q&1)==1); return select(v,-v,(t.q&2)==2); }

fn cos_f64(x:f64)->f64 { if (isnan_f64(x)||isinf_f64(x)) { return nan_f64(); } let t=d_tr(x); let v=select(d_kc(t.r,t.t),d_ks(t.r,t.t),(t.q&1)==1); return select(v,-v,((t.q+1)&2)==2); }

fn tanh_f64(x:f64)->f64 {
  let a=abs(x); let z=x*x;
  let p=(-9.64399179425052238628e-1lf*z-9.92877231001918586564e1lf)*z-1.61468768441708447952e3lf;
  let q=((z+1.12811678491632931402e2lf)*z+2.23548839060100448583e3lf)*z+4.84406305325125486048e3lf;
  let s=opaque_f64(x*z*(p/q))+x;
  let e=exp_f64(2.0lf*min(a,25.0lf)); let b=1.0lf-2.0lf/(e+1.0lf);
  return select(select(s,select(b,-b,x<0.0lf),a>=0.625lf),x,isnan_f64(x));
}

fn d_split(a:f64)->vec2<f64> { let c=opaque_f64(134217729.0lf*a); let h=opaque_f64(c-opaque_f64(c-a)); return vec2<f64>(h,opaque_f64(a-h)); }

fn d_mul2(a:f64,b:f64)->vec2<f64> { let p=opaque_f64(a*b); let x=d_split(a); let y=d_split(b); return vec2<f64>(p,opaque_f64(opaque_f64(opaque_f64(opaque_f64(x.x*y.x-p)+x.x*y.y)+x.y*y.x)+x.y*y.y)); }

struct DD { h:f64, l:f64 };

fn d_2sum(a:f64,b:f64)->DD { let s=opaque_f64(a+b); let bb=opaque_f64(s-a); return DD(s,opaque_f64(opaque_f64(a-opaque_f64(s-bb))+opaque_f64(b-bb))); }

fn d_f2s(a:f64,b:f64)->DD { let s=opaque_f64(a+b); return DD(s,opaque_f64(b-opaque_f64(s-a))); }

fn d_2mul(a:f64,b:f64)->DD { let v=d_mul2(a,b); return DD(v.x,v.y); }

fn d_logdd(x:f64)->DD {                            // x>0 normal or subnormal, ~100 bits
  let sub=x<2.2250738585072014e-308lf; let xs=select(x,x*18014398509481984.0lf,sub);
  let lo=u32(bitcast<u64>(xs)); let hx=d_hi(xs)+0x00095f62u; let k=i32(hx>>20u)-1023-select(0,54,sub);
  let m=d_mk((hx&0x000fffffu)+0x3fe6a09eu,lo);
  // s=(m-1)/(m+1) in double-double ; log m = 2s + 2s^3/3 + ...
  let f=m-1.0lf; let den=d_2sum(m,1.0lf);
  let s0=opaque_f64(f/den.h); let t=d_2mul(s0,den.h); let s1=opaque_f64((opaque_f64(opaque_f64(f-t.h)-t.l)-s0*den.l)/den.h);
  let s=d_f2s(s0,s1);
  let z2=d_2mul(s.h,s.h); let z=d_f2s(z2.h,z2.l+2.0lf*s.h*s.l);
  // tail series sum_{j>=2} z^(j-1)... : q = 1/5 + z/7 + z^2/9 ... (double is enough), first term 1/3 in dd
  let w=z.h;
  let q=w*(0.2lf+w*(0.14285714285714285lf+w*(0.1111111111111111lf+w*(0.09090909090909091lf+w*(0.07692307692307693lf+w*(0.06666666666666667lf+w*(0.058823529411764705lf+w*(0.05263157894736842lf+w*(0.047619047619047616lf+w*0.043478260869565216lf)))))))));
  let c=d_2sum(0.3333333333333333lf,q+1.850371707708594e-17lf);
  let s3=d_2mul(s.h,z.h); let s3l=s3.l+s.h*z.l+s.l*z.h;
  let pr=d_2mul(s3.h,c.h); let prl=pr.l+s3.h*c.l+s3l*c.h;
  let a=d_2sum(2.0lf*s.h,2.0lf*pr.h); let al=a.l+(2.0lf*s.l+2.0lf*prl);
  let dk=f64(k); let k1=dk*6.93147180369123816490e-01lf; let k2=dk*1.90821492927058770002e-10lf;
  let b=d_2sum(k1,a.h); let e=d_2sum(b.h,k2); 
  return d_f2s(e.h,opaque_f64(opaque_f64(e.l+b.l)+al)+dk*-7.4497e-27lf*0.0lf);
}

fn d_pow_pos(x:f64,y:f64)->f64 {                   // x>0 finite, y finite
  let yc=clamp(y,-1e22lf,1e22lf);
  let l=d_logdd(x); let p=opaque_f64(yc*l.h);
  if (p>800.0lf) { return inf_f64(); } if (p< -800.0lf) { return 0.0lf; }
  let m=d_2mul(yc,l.h); let e=opaque_f64(m.l+yc*l.l);
  let v=exp_f64(m.h);
  return select(v+v*e,v,isinf_f64(v));
}

fn pow_f64(x:f64,y:f64)->f64 {
  if (y==0.0lf || x==1.0lf) { return 1.0lf; }
  if (isnan_f64(x)||isnan_f64(y)) { return nan_f64(); }
  let ax=abs(x); let yi=floor(y)==y; let odd=yi && abs(y)<9007199254740992.0lf && (floor(y*0.5lf)*2.0lf!=y);
  if (isinf_f64(y)) { if (ax==1.0lf) { return 1.0lf; } return select(0.0lf,inf_f64(),(ax>1.0lf)==(y>0.0lf)); }
  var r=0.0lf;
  if (ax==0.0lf || isinf_f64(ax)) { r=select(0.0lf,inf_f64(),(ax==0.0lf)==(y<0.0lf)); }
  else { if (x<0.0lf && !yi) { return nan_f64(); } r=d_pow_pos(ax,y); }
  return select(r,-r,((d_hi(x)>>31u)==1u) && odd);
}
